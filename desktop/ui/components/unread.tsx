import { Alert } from "@mantine/core";
import type { Word } from "../words/index.ts";
import { useWords } from "../words/index.ts";
import { hindranceOf, whyOf } from "./why.ts";

/** Why something could not be read: that the server can't be reached, or what it or this device says. */
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
