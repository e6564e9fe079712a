import { exitOnClosedOutput, reportFailure } from "./exit.ts";
import { openProgram } from "./program.ts";

exitOnClosedOutput();
try {
	await openProgram().parseAsync();
} catch (error) {
	process.exitCode = reportFailure(error);
}
