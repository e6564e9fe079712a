/** The build that this page belongs to: its first script's name hashes everything in the build. */
export const build = scriptOf(document);

/** Whether the server has another build by now. @throws TypeError if the server can't be reached */
export async function isOutdated(): Promise<boolean> {
	const answer = await fetch("/", { cache: "no-store" });
	if (!answer.ok) return false;
	const page = new DOMParser().parseFromString(
		await answer.text(),
		"text/html",
	);
	const current = scriptOf(page);
	return current !== "" && current !== build;
}

function scriptOf(page: Document): string {
	const script = page.querySelector("script[type=module][src]");
	return script?.getAttribute("src") ?? "";
}
