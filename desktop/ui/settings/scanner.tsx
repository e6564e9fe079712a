import { Stack, Switch, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { ScanCodes } from "../parts/scan-codes.tsx";
import {
	readPrefix,
	readsByPosition,
	setByPosition,
	useScanner,
	writePrefix,
} from "../till/scanner.ts";
import { useWords } from "../words/index.ts";
import { Part } from "./part.tsx";

/** What a scanner really sends, key by key. */
export function Scanner() {
	const { say } = useWords();
	const [heard, setHeard] = useState<string>();
	const [prefix, setPrefix] = useState(readPrefix());
	const [isByPosition, setByPositionShown] = useState(readsByPosition());
	useScanner((_code, raw) => setHeard(raw));
	return (
		<Part title={say("settings.scanner")}>
			<Stack gap="sm">
				<TextInput
					label={say("settings.scannerPrefix")}
					value={prefix}
					maxLength={10}
					w={260}
					onChange={({ currentTarget: { value } }) => {
						setPrefix(value);
						writePrefix(value);
					}}
				/>
				<Switch
					label={say("settings.scannerPosition")}
					checked={isByPosition}
					onChange={({ currentTarget: { checked } }) => {
						setByPositionShown(checked);
						setByPosition(checked);
					}}
				/>
				<ScanCodes />
				<Text c="dimmed">{say("settings.scannerTest")}</Text>
				<Text role="status" ff="monospace" fz="lg">
					{heard === undefined
						? "…"
						: `${heard} (${heard.length}) ${[...heard]
								.map((letter) => letter.codePointAt(0)?.toString(16))
								.join(" ")}`}
				</Text>
			</Stack>
		</Part>
	);
}
