import { useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button, IconButton } from "../components/button.tsx";
import { Sheet } from "../components/sheet.tsx";
import { useFormat } from "../format.ts";
import { addWords, type Say, useWords, type Word } from "../words/index.ts";
import { type Notification, notificationsKey } from "./notification.ts";
import { notificationsWords } from "./words.ts";
import "../components/panel.css";

addWords(notificationsWords);

/** Words what the server itself notifies of; notifications of other programs stay as they are. */
function wordsOf(
	{ title, message, data }: Notification,
	say: Say,
	format: ReturnType<typeof useFormat>,
): Pick<Notification, "title" | "message"> {
	const { code, name, quantity, lowStock } = data;
	if (code === "pin_locked")
		return { title: say("bell.pinLocked"), message: say("staff.guessed") };
	if (code === "over_limit" || code === "approved")
		return {
			title: say(code === "approved" ? "bell.approved" : "bell.overLimit", {
				name: String(name ?? "–"),
			}),
			message: say("bell.atStake", {
				act: say(`refused.${data.act}` as Word),
				amount: format.money(Number(data.amount)),
			}),
		};
	const count = Number(data.count);
	const when = data.at ? format.moment(String(data.at)) : "–";
	if (code === "backup_old")
		return data.at
			? {
					title: say("bell.backupOld"),
					message: say("bell.backupOldLead", { when, count }),
				}
			: {
					title: say("bell.backupNone"),
					message: say("bell.backupNoneLead", { count }),
				};
	if (
		code === "backup_missing" ||
		code === "backup_full" ||
		code === "backup_failed"
	)
		return {
			title: say(`bell.${code}`, { name: String(name) }),
			message: say(`bell.${code}Lead`),
		};
	if (code === "disk_low")
		return {
			title: say("bell.diskLow"),
			message: say("bell.diskLowLead", { size: Number(data.megabytes) }),
		};
	if (code === "till_unsent")
		return {
			title: say("bell.tillUnsent", { name: String(name) }),
			message: say("bell.tillUnsentLead", { when, count }),
		};
	if (code !== "low_stock") return { title, message };
	return {
		title: say("bell.lowStock", { name: String(name) }),
		message: say("bell.lowStockLeft", {
			quantity: format.quantity(Number(quantity)),
			threshold: format.quantity(Number(lowStock)),
		}),
	};
}

/** This user's notifications, the newest first. */
export default function NotificationsSheet({
	notifications,
	onClose,
}: {
	notifications: readonly Notification[];
	onClose(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const queries = useQueryClient();
	const { attempt, problem, isBusy } = useAttempt();
	const all = notifications.map((one) => ({
		...one,
		...wordsOf(one, say, format),
	}));
	const unread = all.filter(({ read }) => !read);
	const refresh = () =>
		queries.invalidateQueries({ queryKey: notificationsKey });
	return (
		<Sheet title={say("bell.title")} onClose={onClose}>
			{problem}
			{all.length === 0 && <p className="muted">{say("bell.none")}</p>}
			{all.map((one) => (
				<Row key={one.id} of={one} refresh={refresh} />
			))}
			{unread.length > 0 && (
				<div className="sheet-foot">
					<Button
						size="l"
						disabled={isBusy}
						onClick={() =>
							attempt(async () => {
								const ids = unread.map(({ id }) => id);
								await ask("PATCH", "/api/notifications", { ids });
								await refresh();
							})
						}
					>
						{say("bell.readAll")}
					</Button>
				</div>
			)}
		</Sheet>
	);
}

/** Apart from the others: one may be deleted while another, or all being read, is on its way. */
function Row({
	of: { id, title, message, read, createdAt },
	refresh,
}: {
	of: Notification;
	refresh(): Promise<void>;
}) {
	const { say } = useWords();
	const format = useFormat();
	const { attempt, problem, isBusy } = useAttempt();
	return (
		<div className="panel-row">
			{problem}
			<div className="grow">
				<div className={read ? undefined : "strong"}>{title}</div>
				<div className="text-s">{message}</div>
				<div className="text-s muted">{format.moment(createdAt)}</div>
			</div>
			<IconButton
				label={`${say("bell.delete")}: ${title}`}
				disabled={isBusy}
				onClick={() =>
					attempt(async () => {
						await ask("DELETE", `/api/notifications/${id}`);
						await refresh();
					})
				}
			>
				<X size={18} aria-hidden />
			</IconButton>
		</div>
	);
}
