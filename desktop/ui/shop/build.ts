/** Which program this page is of: the name of its first script is made of all that it is built of. */
export const build = scriptOf(document);

/** Whether the server's program is another one by now. @throws TypeError where it can't be reached */
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
