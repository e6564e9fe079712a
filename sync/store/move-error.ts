/** Why a database can't be moved, in a line for the person who asked for it. Neither of the two has changed then. */
export class MoveError extends Error {
	override readonly name = "MoveError";
}
