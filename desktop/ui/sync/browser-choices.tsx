import { useState } from "react";
import { Toggle } from "../components/toggle.tsx";
import { isTillsWindow } from "../sent-page.ts";
import { useShop } from "../session.tsx";
import { tillSettingOf } from "../shop/storage-note.ts";
import { useWords } from "../words/index.ts";

/** Lets the owner keep the shop in this browser after a sign-out. */
export function TillSwitch() {
	const { say } = useWords();
	const { shop, session } = useShop();
	const mark = tillSettingOf(shop.businessId);
	const [isTill, setTill] = useState(mark.isSet);
	if (isTillsWindow || session.role !== "OWNER") return null;
	return (
		<section className="leaf panel">
			<Toggle
				label={say("sync.isTill")}
				note={say("sync.isTillNote")}
				checked={isTill}
				onChange={(checked) => {
					mark.set(checked);
					setTill(checked);
				}}
			/>
		</section>
	);
}
