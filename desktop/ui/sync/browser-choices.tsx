import { useState } from "react";
import { Toggle } from "../components/toggle.tsx";
import { isTillsWindow } from "../sent-page.ts";
import { useShop } from "../session.tsx";
import { type BrowserChoice, choiceOf } from "../shop/storage-note.ts";
import { useWords } from "../words/index.ts";

/** Lets the owner choose what of the shop this browser keeps. */
export function BrowserChoices() {
	const { session } = useShop();
	if (isTillsWindow || session.role !== "OWNER") return null;
	return (
		<section className="leaf panel">
			<Choice name="all" />
			<Choice name="till" />
		</section>
	);
}

function Choice({ name }: { name: BrowserChoice }) {
	const { say } = useWords();
	const { shop } = useShop();
	const choice = choiceOf(name, shop.businessId);
	const [isOn, setOn] = useState(choice.isSet);
	return (
		<Toggle
			label={say(`sync.keep.${name}`)}
			note={say(`sync.keep.${name}Note`)}
			checked={isOn}
			onChange={(checked) => {
				choice.set(checked);
				setOn(checked);
			}}
		/>
	);
}
