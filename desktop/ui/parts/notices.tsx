import { Alert } from "@mantine/core";
import { useEffect } from "react";
import { useLocal } from "../session.tsx";
import { useWords } from "../words/index.ts";

/** What a person should know while they sell on, over every page. */
export function Notices() {
	const { say } = useWords();
	const { sync } = useLocal();
	const isAtRisk = !sync.isLasting && sync.pending > 0;
	useEffect(() => {
		if (!isAtRisk) return;
		const ask = (event: BeforeUnloadEvent) => event.preventDefault();
		addEventListener("beforeunload", ask);
		return () => removeEventListener("beforeunload", ask);
	}, [isAtRisk]);
	return (
		!sync.isLasting && (
			<Alert color="red" role="alert" radius={0} p="xs">
				{say("sync.memory")}
			</Alert>
		)
	);
}
