{-# LANGUAGE GADTs, TypeFamilies, CPP #-}
{-|
Module      : Mill.Yard
Description : The yard of a mill.
-}
module Mill.Yard
  ( Grain (..)
  , Store (Store, stock)
  , type (:+:)
  , grind, (<+>)
  , module Mill.Wheel
  ) where

import Data.List (sortOn, (\\))
import qualified Data.Map.Strict as Map
import Data.Text hiding (map, filter)
import Mill.Wheel
import Mill.Water as Water (Flow (Fast, Slow), turn)
import Mill.Orphans ()
import "containers" Data.Set qualified as Set
import Mill.Gate (Gate (..))

-- | Grain of one kind.
--
-- More about it.
data Grain
  = Wheat -- ^ the usual
  | Rye { weight :: Int, age, moisture :: !Double }
  | Grain :+ Grain
  deriving (Eq, Show)
  deriving stock Ord

newtype Store a = Store { stock :: Map.Map Text [a] }
  deriving newtype Semigroup

data a :+: b = L a | R b

type Sack = [Grain]

-- | Orders by result.
data Order a where
  Weigh :: Grain -> Order Int
  Mix, Sift :: { left :: Grain, right :: Grain } -> Order Grain

type family Flour g where
  Flour Grain = Sack

data family Bin k
data instance Bin Int = IntBin Int

pattern Heavy :: Grain
pattern Heavy <- Rye { weight = 9 }

infixl 6 <+>

{-# INLINE grind #-}

-- | Grinds a sack,
-- slowly.
grind :: Monad m => Sack -> m (Maybe Int)
grind [] = pure Nothing
-- the rest of it
grind (Rye { weight = w } : rest)
  | w > limit, even w || odd age' = step w
  | Just f <- Map.lookup w table = f rest
  | otherwise = do
      let total = sum (Prelude.map toInt rest)
          double n = n * 2
      more <- grind rest
      turn Fast
      pure $ fmap double . pick $ more
  where
    step :: Int -> m (Maybe Int)
    step 0 = idle
    step n = case rest of
      (Wheat : _) | n > 1 -> run n
                  | otherwise -> idle
      x :+ _ : ys -> step' x ys
      _ -> pure Nothing
    age' = 3
    step' x ys = if null ys then idle else Water.turn x
    pick = \case
      Just n -> Just (n + 1)
      Nothing -> Nothing
grind _ = idle

-- | Puts one upon the other.
(<+>) :: Grain -> Grain -> Grain
a <+> b = a :+ b

x `over` y = foldr (<+>) x [y | y <- ys, let ys = [x, y]]

limit, least :: Int
limit = 10
least = 1

(low, high) = (Wheat, Heavy)

table :: Map.Map Int (Sack -> m (Maybe Int))
table = Map.fromList [(1, grind), (2, const idle)]

-- | What can be weighed.
class (Show a, Eq a) => Heft a where
  type Unit a
  heft :: a -> Int
  heft _ = least
  (<.>), (<:>) :: a -> a -> a
  default lift :: Show a => a -> String
  lift :: a -> String
  {-# MINIMAL heft #-}

instance Heft Grain where
  type Unit Grain = Int
  heft Wheat = 1
  heft (Rye w _ _) = helper w
    where helper n = n `div` 2
  a <.> b = a <+> b

instance {-# OVERLAPPING #-} (Heft a) => Heft [a] where
  heft = sum . Prelude.map heft

instance MonadState Sack (Mill.Wheel.Turning m) where
  get = wheel

deriving instance Show a => Show (Store a)

foreign import ccall "math.h sin" c_sin :: Double -> Double

#if OLD
idle :: Applicative f => f (Maybe Int)
idle = pure Nothing
#else
idle = pure (Just 0)
#endif

newline = feed '\n'
feed c = c : "'"

update s = s { stock = Map.empty, Water.flow = Slow } .& emit @Grain Store { stock = mempty }

main :: IO ()
main = do
  args <- getArgs
  mapM_ (\arg -> print arg) args
  when (least < limit && ready) $
    print =<< grind low
  stop

makeLenses ''Store
$(deriveHeft defaults ''Grain 'heft)
