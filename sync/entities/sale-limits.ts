/** The most lines of one sale. Apart, as pages tell it and check nothing. */
export const linesMax = 1_000;
