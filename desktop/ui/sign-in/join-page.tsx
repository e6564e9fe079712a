import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { ask } from "../api.ts";
import { Busy } from "../components/busy.tsx";
import { useTill } from "../shop/till.ts";
import { type Credentials, ServerForm } from "../sync/server-form.tsx";
import { useWords } from "../words/index.ts";
import { Cover } from "./cover.tsx";

/** Makes this computer a till of a shop's server, and shows the download's progress, also after a restart. */
export default function Join({ onDone }: { onDone(): Promise<void> }) {
	const { say } = useWords();
	const till = useTill();
	const queries = useQueryClient();
	const [, navigate] = useLocation();
	const [given, setGiven] = useState<Credentials>();
	const isJoined = till?.mode === "joined";

	// biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the whole shop is here.
	useEffect(() => {
		if (isJoined) void enter();
	}, [isJoined]);

	async function enter(): Promise<void> {
		// After a restart nobody remembers the credentials.
		if (given) await ask("POST", "/login", given);
		await onDone();
		navigate("/");
	}

	const isComing = till?.mode === "joining" || given !== undefined;
	return (
		<Cover
			title={say("join.title")}
			lead={isComing ? undefined : say("join.lead")}
			foot={
				!isComing && (
					<Link className="link" href="/setup">
						{say("join.back")}
					</Link>
				)
			}
		>
			{isComing ? (
				<div className="column-flex" role="status">
					<Busy />
					<b>{say("join.coming", { count: till?.rows ?? 0 })}</b>
					<span className="text-s muted">
						{till?.isOnline === false
							? say("join.waiting")
							: say("join.mayClose")}
					</span>
				</div>
			) : (
				<ServerForm
					path="/api/till/join"
					submit={say("join.submit")}
					onDone={(credentials) => {
						setGiven(credentials);
						void queries.invalidateQueries({ queryKey: ["till"] });
					}}
				/>
			)}
		</Cover>
	);
}
