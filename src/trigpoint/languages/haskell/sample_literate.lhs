The mill grinds. This is prose, with a "quote" and code that is none:

    notOne :: Int

> module Mill.Prose (grind) where
>
> -- | Grinds.
> grind :: Int -> Int
> grind 0 = 0
> grind n = step n
>   where step = subtract 1

More prose (with [brackets.

\begin{code}
sift :: Int
sift = grind 3
\end{code}

The end.
