import { endWithReader, tellFailure } from "./ending.ts";
import { openProgram } from "./program.ts";

endWithReader();
try {
	await openProgram().parseAsync();
} catch (error) {
	process.exitCode = tellFailure(error);
}
