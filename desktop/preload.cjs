// Plain JavaScript: it runs in the sandbox, where there is no Node. `ui/till-shell.ts` says what each call is.
const { contextBridge, ipcRenderer } = require("electron");

/** @param {string} name */
function call(name) {
	/** @param {unknown[]} given */
	return async (...given) => {
		const answer = await ipcRenderer.invoke(`till:${name}`, ...given);
		// An error that a handler throws would come with Electron's own words before it.
		if ("problem" in answer) throw new Error(answer.problem);
		return answer.value;
	};
}

contextBridge.exposeInMainWorld("till", {
	print: call("print"),
	printers: call("printers"),
	choosePrinter: call("choosePrinter"),
	openDrawer: call("openDrawer"),
	backup: call("backup"),
	fullScreen: call("fullScreen"),
	versions: call("versions"),
	update: call("update"),
});
