import { Stack, Switch, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Panel } from "../components/panel.tsx";
import { scanGapMaxMs } from "../scanner/scan-burst.ts";
import { ScanCodes } from "../scanner/scan-codes-sheet.tsx";
import { useScanner } from "../scanner/scanner.ts";
import {
	readPrefix,
	readsByPosition,
	setByPosition,
	writePrefix,
} from "../scanner/scanner-settings.ts";
import { useWords } from "../words/index.ts";

/** The test also reads scanners that are too slow for the till, up to this gap. */
const testGapMaxMs = 1_000;

/** Shows what a scanner sends, key by key, and whether the till will recognize it. */
export function Scanner() {
	const { say } = useWords();
	const [heard, setHeard] = useState<{ raw: string; gapMs: number }>();
	const [prefix, setPrefix] = useState(readPrefix());
	const [isByPosition, setByPositionShown] = useState(readsByPosition());
	useScanner({
		gapMaxMs: testGapMaxMs,
		isKnown: () => true,
		onScan: setHeard,
	});
	const isSlow = heard !== undefined && heard.gapMs > scanGapMaxMs;
	return (
		<Panel title={say("settings.scanner")}>
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
				<div role="status">
					{heard ? (
						<>
							<Text ff="monospace" fz="lg">
								{heard.raw}
							</Text>
							<Text c="dimmed" size="sm" ff="monospace">
								{[...heard.raw]
									.map((letter) => letter.codePointAt(0)?.toString(16))
									.join(" ")}
							</Text>
							<Text {...(isSlow ? { c: "var(--mantine-color-error)" } : {})}>
								{say(
									isSlow ? "settings.scannerSlow" : "settings.scannerHeard",
									{ count: heard.raw.length, gap: heard.gapMs },
								)}
							</Text>
						</>
					) : (
						"…"
					)}
				</div>
			</Stack>
		</Panel>
	);
}
