import { Button, Rating, Stack, Text, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { v7 as newId } from "uuid";
import { useAttempt } from "../components/attempt.tsx";
import { Panel } from "../components/panel.tsx";
import { useShop } from "../session.tsx";
import { makeAndSend } from "../shop/send.ts";
import { useWords } from "../words/index.ts";

/** Sends a review of Counterfoil. */
export function Review() {
	const { say } = useWords();
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	const [isSent, setSent] = useState(false);
	const form = useForm({ initialValues: { rating: 0, text: "" } });
	const { rating, text } = form.values;
	return (
		<Panel title={say("settings.review")}>
			{problem}
			{isSent ? (
				<Text role="status">{say("settings.thanks")}</Text>
			) : (
				<form
					onSubmit={form.onSubmit(async (review) =>
						setSent(
							await attempt(() =>
								makeAndSend(shop, "review.create", {
									id: newId(),
									...review,
								}),
							),
						),
					)}
				>
					<Stack gap="sm" align="flex-start">
						<Rating
							{...form.getInputProps("rating")}
							size="xl"
							aria-label={say("settings.rating")}
							getSymbolLabel={(value) => `${value} / 5`}
						/>
						<Textarea
							{...form.getInputProps("text")}
							aria-label={say("settings.review")}
							w="100%"
							maxLength={5_000}
							autosize
							minRows={2}
						/>
						<Button
							type="submit"
							loading={isBusy}
							disabled={rating === 0 || text.trim() === ""}
						>
							{say("settings.send")}
						</Button>
					</Stack>
				</form>
			)}
		</Panel>
	);
}
