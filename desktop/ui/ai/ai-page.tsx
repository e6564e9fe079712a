import { addWords, useWords } from "../words/index.ts";
import { Calls } from "./calls.tsx";
import { ApiKeys } from "./keys.tsx";
import { AppLimits } from "./limits.tsx";
import { Playground } from "./playground.tsx";
import { QueuePanel } from "./queue.tsx";
import { Spend } from "./spend.tsx";
import { aiWords } from "./words.ts";
import "./ai.css";

addWords(aiWords);

/** Ask a question first, see what AI costs and who asked; beside it who may use it, and the keys of other programs. */
export default function Ai() {
	const { say } = useWords();
	return (
		<section className="page page-forms">
			<h1>{say("app.ai")}</h1>
			<div className="panel-columns">
				<div>
					<Playground />
					<Spend />
					<Calls />
				</div>
				<div>
					<AppLimits />
					<ApiKeys />
					<QueuePanel />
				</div>
			</div>
		</section>
	);
}
