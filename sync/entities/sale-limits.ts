/** The maximum number of lines in a sale. In a file without zod, because pages import it. */
export const linesMax = 1_000;
