import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Panel } from "../components/panel.tsx";
import { Tag } from "../components/tag.tsx";
import { useFormat } from "../format.ts";
import { addWords, useWords } from "../words/index.ts";
import { agentName } from "./agent-name.ts";
import { operatorWords } from "./words.ts";

addWords(operatorWords);

interface Session {
	id: string;
	userName: string;
	kind: "browser" | "program";
	agent: string;
	lastSeenAt: string;
	current: boolean;
}

const queryKey = ["sessions"];

/** Where somebody is signed in, to sign out from afar. */
export function Sessions() {
	const { say } = useWords();
	const format = useFormat();
	const queries = useQueryClient();
	const { attempt, problem, isBusy } = useAttempt();
	const { data, error } = useQuery({
		queryKey,
		queryFn: () => ask<{ sessions: Session[] }>("GET", "/api/sessions"),
	});
	return (
		<Panel title={say("operator.sessions")}>
			<p className="muted">{say("operator.sessionsLead")}</p>
			<LoadError error={error} />
			{problem}
			<div>
				{data?.sessions.map(
					({ id, userName, kind, agent, lastSeenAt, current }) => {
						const name = agentName(agent) || say("operator.program");
						return (
							<div key={id} className="panel-row">
								<div className="grow">
									<span className="row-flex">
										<b>{userName}</b>
										<span>{name}</span>
										{kind === "program" && <Tag>{say("operator.program")}</Tag>}
									</span>
									<span className="text-s muted">
										{say("settings.lastSeen", {
											when: format.moment(lastSeenAt),
										})}
									</span>
								</div>
								{current ? (
									<Tag>{say("operator.thisOne")}</Tag>
								) : (
									<Button
										size="s"
										disabled={isBusy}
										aria-label={`${say("operator.end")}: ${userName}, ${name}`}
										onClick={() =>
											attempt(async () => {
												await ask("DELETE", `/api/sessions/${id}`);
												await queries.invalidateQueries({ queryKey });
											})
										}
									>
										{say("operator.end")}
									</Button>
								)}
							</div>
						);
					},
				)}
			</div>
		</Panel>
	);
}
