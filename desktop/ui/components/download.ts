/** Saves a file where the browser keeps downloads. */
export function download(file: Blob, name: string): void {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(file);
	link.download = name;
	link.click();
	// The download has started by then.
	setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
