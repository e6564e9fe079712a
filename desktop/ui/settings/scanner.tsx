import { useState } from "react";
import { TextField } from "../components/field.tsx";
import { Panel } from "../components/panel.tsx";
import { Toggle } from "../components/toggle.tsx";
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
			<p className="muted">{say("settings.scannerTest")}</p>
			<div className="settings-heard" role="status">
				{heard ? (
					<>
						<b className="figure">{heard.raw}</b>
						<code className="text-xs muted">
							{[...heard.raw]
								.map((letter) => letter.codePointAt(0)?.toString(16))
								.join(" ")}
						</code>
						<span className={isSlow ? "danger" : undefined}>
							{say(isSlow ? "settings.scannerSlow" : "settings.scannerHeard", {
								count: heard.raw.length,
								gap: heard.gapMs,
							})}
						</span>
					</>
				) : (
					"…"
				)}
			</div>
			<div className="settings-narrow">
				<TextField
					label={say("settings.scannerPrefix")}
					value={prefix}
					maxLength={10}
					onChange={(value) => {
						setPrefix(value);
						writePrefix(value);
					}}
				/>
			</div>
			<Toggle
				label={say("settings.scannerPosition")}
				checked={isByPosition}
				onChange={(isOn) => {
					setByPositionShown(isOn);
					setByPosition(isOn);
				}}
			/>
			<ScanCodes />
		</Panel>
	);
}
