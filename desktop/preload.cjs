// Plain JavaScript: it runs in the sandbox, without Node. `ui/till-shell.ts` describes the calls.
const { contextBridge, ipcRenderer } = require("electron");

/** @param {string} name */
function call(name) {
	/** @param {unknown[]} given */
	return async (...given) => {
		const answer = await ipcRenderer.invoke(`till:${name}`, ...given);
		// Electron would put its own text before the message of an error thrown by a handler.
		if ("problem" in answer) throw new Error(answer.problem);
		return answer.value;
	};
}

contextBridge.exposeInMainWorld("till", {
	print: call("print"),
	printLabels: call("printLabels"),
	printers: call("printers"),
	choosePrinter: call("choosePrinter"),
	openDrawer: call("openDrawer"),
	backup: call("backup"),
	fullScreen: call("fullScreen"),
	versions: call("versions"),
	update: call("update"),
});
