/** The reason why a database can't be moved, as a line for a person. Both databases are unchanged. */
export class MoveError extends Error {
	override readonly name = "MoveError";
}
