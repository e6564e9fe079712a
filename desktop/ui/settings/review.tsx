import { useState } from "react";
import { v7 as newId } from "uuid";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { Panel } from "../components/panel.tsx";
import { Rating } from "../components/rating.tsx";
import { TextArea } from "../components/text-area.tsx";
import { useShop } from "../session.tsx";
import { makeAndSend } from "../shop/send.ts";
import { useWords } from "../words/index.ts";

/** Sends a review of Counterfoil. */
export function Review() {
	const { say } = useWords();
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	const [isSent, setSent] = useState(false);
	const [rating, setRating] = useState(0);
	const [text, setText] = useState("");

	async function send(): Promise<void> {
		const review = { id: newId(), rating, text };
		setSent(await attempt(() => makeAndSend(shop, "review.create", review)));
	}

	return (
		<Panel title={say("settings.reviewShort")}>
			{problem}
			{isSent ? (
				<p role="status">{say("settings.thanks")}</p>
			) : (
				<form
					className="column-flex"
					onSubmit={(event) => {
						event.preventDefault();
						void send();
					}}
				>
					<Rating
						label={say("settings.rating")}
						value={rating}
						onChange={setRating}
					/>
					<TextArea
						label={say("settings.review")}
						value={text}
						onChange={setText}
						maxLength={5_000}
					/>
					<Button
						type="submit"
						kind="ink"
						isBusy={isBusy}
						disabled={rating === 0 || text.trim() === ""}
					>
						{say("settings.send")}
					</Button>
				</form>
			)}
		</Panel>
	);
}
