import { useDisclosure } from "@mantine/hooks";
import { useLocation } from "wouter";
import { demoOwner } from "../../../sync/protocol/demo.ts";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { Sheet } from "../components/sheet.tsx";
import { isTillsWindow } from "../sent-page.ts";
import { useShop } from "../session.tsx";
import { untilTillIs, useTill } from "../shop/till.ts";
import { useWords } from "../words/index.ts";

/** Marks the demo shop on every page, and leads from it to the user's own. */
export function DemoTag() {
	const { say } = useWords();
	const { session } = useShop();
	const [isOpen, { open, close }] = useDisclosure();
	if (session.user.email !== demoOwner.email) return null;
	return (
		<>
			<button type="button" className="demo-tag" onClick={open}>
				<span>{say("demo.tag")}</span>
			</button>
			{isOpen && (
				<Sheet title={say("demo.title")} onClose={close}>
					<p>{say("demo.lead")}</p>
					<WaysOut />
				</Sheet>
			)}
		</>
	);
}

/** A browser signs in to another shop; a desktop till holds one, and removes the demo first. */
function WaysOut() {
	const { say } = useWords();
	const { signOut } = useShop();
	const [, navigate] = useLocation();
	const { attempt, problem, isBusy } = useAttempt();
	const till = useTill();
	const leaveFor = (place: string) =>
		attempt(async () => {
			if (isTillsWindow) {
				await ask("DELETE", "/api/till/demo");
				await untilTillIs("new");
			}
			await signOut();
			navigate(place);
		});
	// A till that has joined a demo shop's server stays its till.
	if (isTillsWindow && till?.mode !== "alone") return null;
	return (
		<>
			{isTillsWindow && <p>{say("demo.removeLead")}</p>}
			{problem}
			<div className="demo-ways">
				<Button
					kind="ink"
					isWide
					isBusy={isBusy}
					onClick={() => leaveFor("/setup")}
				>
					{say(isTillsWindow ? "demo.remove" : "demo.leave")}
				</Button>
				{!isTillsWindow && (
					<Button isWide isBusy={isBusy} onClick={() => leaveFor("/")}>
						{say("demo.return")}
					</Button>
				)}
			</div>
		</>
	);
}
