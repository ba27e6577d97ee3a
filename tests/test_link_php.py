"""Linking PHP: full names, imports, traits, properties."""

from __future__ import annotations

from linking import lines, tree


def test_names_are_qualified_by_namespace_and_import() -> None:
    files = tree(
        """
        // src/Models/User.php
        <?php
        namespace App\\Models;
        class User { public static function find(int $n): ?static { return new static(); } public function save(): self { return $this; } }
        function helper() {}
        // src/Http/Page.php
        <?php
        namespace App\\Http;
        use App\\Models\\{User, Post as P};
        use App\\Models;
        use function App\\Models\\helper as help;
        function helper() {}
        function run(User $user, P $post) {
            help(); helper(); \\helper(); \\App\\Models\\helper(); Models\\helper(); namespace\\helper();
            User::find(1)->save()->save();
            (new Models\\User())->save();
            $user?->save();
            $post->save();
        }
        // global.php
        <?php
        function helper() {}
        """
    )
    found = [
        one.partition(":")[2].replace("App.Http.run -> ", "")
        for one in lines(files)
        if "Page.php" in one.partition(":")[0]
    ]
    assert found == [
        "10 App.Models.User in src/Models/User.php",
        "10 App.Models.User.save in src/Models/User.php",
        "11 App.Models.User.save in src/Models/User.php",
        "8 App.Http.helper",
        "8 App.Http.helper",
        "8 App.Models.helper in src/Models/User.php",
        "8 App.Models.helper in src/Models/User.php",
        "8 App.Models.helper in src/Models/User.php",
        "8 helper in global.php",
        "9 App.Models.User.find in src/Models/User.php",
        "9 App.Models.User.save in src/Models/User.php",
        "9 App.Models.User.save in src/Models/User.php",
    ]


def test_members_come_from_the_class_its_traits_and_what_it_extends() -> None:
    files = tree(
        """
        // a.php
        <?php
        trait Logs { public function note() { $this->flush(); } abstract function flush(); }
        class Base { public function note() {} public function open() {} }
        class Wheel { public function turn() {} public $note; }
        class Pier extends Base {
            use Logs;
            private Wheel $wheel;
            private $spare;
            public function __construct(private Wheel $third) { $this->spare = new Wheel(); }
            public function open() {
                parent::open(); $this->note(); self::shut();
                $this->wheel->turn(); $this->spare->turn(); $this->third->turn();
                $this->wheel->note(); $unknown->turn();
            }
            static function shut() { static::shut(); }
            /** @param Wheel[] $all */
            function each($all) { foreach ($all as $one) { $one->turn(); } }
        }
        """
    )
    found = [one.partition(":")[2] for one in lines(files)]
    assert found == [
        "11 Pier.open -> Base.open",
        "11 Pier.open -> Logs.note",
        "11 Pier.open -> Pier.shut",
        "12 Pier.open -> Wheel.turn",
        "12 Pier.open -> Wheel.turn",
        "12 Pier.open -> Wheel.turn",
        "15 Pier.shut -> Pier.shut",
        "17 Pier.each -> Wheel.turn",
        "2 Logs.note -> Logs.flush",
        "9 Pier.__construct -> Wheel",
    ]
