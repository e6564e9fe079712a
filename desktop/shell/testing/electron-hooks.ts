import { registerHooks } from "node:module";

// Loaded before `main`: every import of Electron gets the stand-in.
registerHooks({
	resolve: (specifier, context, next) =>
		specifier === "electron"
			? {
					url: new URL("./electron.ts", import.meta.url).href,
					shortCircuit: true,
				}
			: next(specifier, context),
});
