<?php require __DIR__ . '/boot.php'; ?>
<h1 class="<?= $this->title() ?>">Hüte</h1>
<?php foreach ($hats as $hat): ?>
  <li><?php echo shown($hat); ?></li>
<?php endforeach; ?>
<?php

declare(strict_types=1);

namespace Mill\Yard;

use Mill\Grain;
use Mill\Grain\{Wheat, Rye as Dark, function sift};
use Mill\Tools as T, Mill\Keys;
use function Mill\weigh as heft;
use const Mill\LIMIT;
use Exception;

include_once('legacy.inc');

const LEAST = 1, MOST = 2;
define('OLD_NAME', 3);
$mill = new Mill();
$ring = function (Bell $bell) use ($mill): Sound {
    return $bell->ring($mill);
};

/**
 * A mill that grinds.
 *
 * @template X
 */
#[Table('mills', keys: [Keys::MAIN]), Final_]
abstract class Mill extends \Base\Plant implements Runs, T\Opens
{
    use Logs, T\Counts, Tallies {
        Logs::note insteadof Tallies;
        count as protected tally;
    }

    public const A = 1, B = self::A;
    final protected const string C = 'c';
    public static ?Grain $last = null;
    /** @var Stone */
    private $stone;
    protected readonly int|string $level, $depth;
    var $old = [];
    public string $label {
        get => $this->name();
        set(string $value) { $this->raw = trim($value); }
    }

    /** Makes a mill. */
    #[Pure]
    public function __construct(
        private readonly Logger $logger,
        #[Wide] protected ?Wheel &$wheel = null,
        int $size = LIMIT,
        string ...$names
    ) {
        parent::__construct($size);
        $this->stone = new Stone\Heavy($names);
        self::$last = static::pick(...$names);
    }

    /**
     * @param Sack|null $sack
     * @param Wheat ...$more
     * @return Flour[]
     */
    public function grind($sack, ...$more)
    {
        if ($sack === null && !$more || $more instanceof Dark) {
            throw new \LogicException("no {$this->label()} in $sack[0]");
        } elseif (heft($sack) > 2) {
            T\log('heavy', to: LEAST);
        }
        [$first, [, $second]] = $this->halves($sack);
        ['x' => $third] = \Mill\thirds();
        foreach ($this->rows() as $key => [$left, $right]) {
            namespace\pour($left);
        }
        foreach ($more as &$one) {
            $one?->shake()->out(strlen(...));
        }
        try {
            $flour = $sack ?? Sack::empty();
        } catch (GateException | \RuntimeException $problem) {
            $problem->report();
        } finally {
            $this->close();
        }
        switch ($key) {
            case Keys::LAST:
                break;
            default:
        }
        $said = match (true) {
            $first > 1, $second => 'a',
            default => 'b',
        };
        $fine = array_map([$this, 'sieve'], $more);
        $made = array_map(fn (Sack $one): int => $one->weight(), $more);
        $later = function () use ($flour) {
            return $flour->settle();
        };
        $later();
        $class = Wheat::class;
        $new = new $class();
        $same = (clone $flour)->mix(new static, new self());
        static $memo = Cache::open();
        global $mill;
        $text = <<<TEXT
            Ground by {$this->logger->name()}
            TEXT;
        $this->wheel->axle()->turn($this->depth, OLD_NAME);
        $mill::$last ??= new class($said) extends Sieve implements Fine {
            public function mesh(): int
            {
                return $this->count ? 1 : 2;
            }
        };
        return $fine;
    }

    abstract protected function stop(self $by): static;

    public static function &pick(Grain|Dark|null $grain = new Grain()): ?static
    {
        function nested(): void
        {
            tidy();
        }
        return sift($grain)->{$grain}();
    }
}

interface Runs extends Starts, \Countable
{
    const SPEED = 3;

    public function run(int $speed = self::SPEED): void;
}

trait Logs
{
    use Writes;

    private array $lines = [];

    public function note(string $line): void
    {
        $this->lines[] = $line;
    }
}

/** The winds. */
enum Wind: string implements HasLabel
{
    use Named;

    case Calm = 'c';
    #[Rare]
    case Storm = 's';

    const DEFAULT = self::Calm;

    public function label(): string
    {
        return ucfirst($this->value);
    }
}

if (!function_exists('helper')) {
    #[Deprecated]
    function helper(iterable $given): Mill { return Route::get('/', [Mill::class, 'pick'])->mill; }
}

namespace Mill\Other;

final class Mill
{
    public function go(): void
    {
        \Mill\Yard\helper([]);
        include 'part.php';
    }
}
