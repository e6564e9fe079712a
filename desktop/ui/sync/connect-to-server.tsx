import { useState } from "react";
import { Button } from "../components/button.tsx";
import { Panel } from "../components/panel.tsx";
import { useShop } from "../session.tsx";
import { untilTillIs, useTill } from "../shop/till.ts";
import { useWords } from "../words/index.ts";
import { ServerForm } from "./server-form.tsx";

/** Moves a shop without a server to a server. */
export function ConnectToServer() {
	const { say } = useWords();
	const { session, signOut } = useShop();
	const till = useTill();
	const [isOpen, setOpen] = useState(false);
	if (till?.mode !== "alone" || session.role !== "OWNER") return null;
	return (
		<Panel title={say("join.alone")}>
			<p className="muted">{say("join.aloneLead")}</p>
			{isOpen ? (
				<ServerForm
					path="/api/till/connect"
					submit={say("join.connect")}
					// From now on people sign in with their accounts on the server.
					onDone={() => void untilTillIs("joined").then(signOut)}
				/>
			) : (
				<div>
					<Button onClick={() => setOpen(true)}>{say("join.connect")}</Button>
				</div>
			)}
		</Panel>
	);
}
