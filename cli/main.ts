import { endWithOutput, tellFailure } from "./ending.ts";
import { openProgram } from "./program.ts";

endWithOutput();
try {
	await openProgram().parseAsync();
} catch (error) {
	process.exitCode = tellFailure(error);
}
