/** Opens the server's newest build in place of this page. Without the server, a reload could leave no till at all. */
export async function reloadIfServed(): Promise<void> {
	try {
		const { ok } = await fetch("/readyz");
		if (ok) location.reload();
	} catch (error) {
		console.warn("The page stays, since the server can't be reached", error);
	}
}
