import { Alert } from "@mantine/core";
import type { Word } from "../words/index.ts";
import { useWords } from "../words/index.ts";
import { hindranceOf, whyOf } from "./why.ts";

/** Shows why data couldn't be loaded: the server can't be reached, or the error's own message. */
export function Unread({
	error,
	offline = "app.offline",
}: {
	error: Error | null;
	offline?: Word;
}) {
	const { say } = useWords();
	if (!error) return null;
	const hindrance = hindranceOf(error);
	return (
		<Alert color={hindrance ? "gray" : "red"} mb="sm">
			{hindrance
				? say(hindrance === "offline" ? offline : "login.needed")
				: whyOf(error)}
		</Alert>
	);
}
