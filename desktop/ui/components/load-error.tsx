import type { Word } from "../words/index.ts";
import { useWords } from "../words/index.ts";
import { Alert } from "./alert.tsx";
import { failureKindOf, messageOf } from "./error-message.ts";

/** Shows why data couldn't be loaded: the server can't be reached, or the error's own message. */
export function LoadError({
	error,
	offline = "app.offline",
}: {
	error: Error | null;
	offline?: Word;
}) {
	const { say } = useWords();
	if (!error) return null;
	const failureKind = failureKindOf(error);
	const isCalm =
		failureKind || ("code" in error && error.code === "older_sales");
	return (
		<Alert tone={isCalm ? "plain" : "danger"}>
			{failureKind
				? say(failureKind === "offline" ? offline : "login.needed")
				: messageOf(error)}
		</Alert>
	);
}
