import { Sheet } from "../components/sheet.tsx";
import type { Word } from "../words/index.ts";
import { useWords } from "../words/index.ts";

const keys: [key: string, word: Word][] = [
	["/", "till.keySearch"],
	["Enter", "till.keyAdd"],
	["↓ ↑ ← →", "till.keyGrid"],
	["+ −", "till.keyMore"],
	["*", "till.keyQuantity"],
	["Del", "till.keyRemove"],
	["F2", "till.keyPack"],
	["F3", "till.keyCashier"],
	["F4", "till.keyOpen"],
	["F6", "till.keyDiscount"],
	["F8", "till.keyPay"],
	["Ctrl Enter", "till.keyExact"],
	["F9", "till.keyHold"],
	["Enter", "till.keyNext"],
	["P", "till.keyPrint"],
	["W", "till.keyWhatsApp"],
	["?", "till.keyHelp"],
];

/** Lists the till's keys. */
export function KeysSheet({ onClose }: { onClose(): void }) {
	const { say } = useWords();
	return (
		<Sheet place="goods" title={say("till.shortcuts")} onClose={onClose}>
			<table>
				<tbody>
					{keys.map(([key, word]) => (
						<tr key={word}>
							<td style={{ padding: "6px 16px 6px 0" }}>
								<kbd>{key}</kbd>
							</td>
							<td>{say(word)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</Sheet>
	);
}
