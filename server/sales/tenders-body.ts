import * as z from "zod";
import { tender, tendersMax } from "../../sync/entities/payment.ts";
import { onWire } from "../http/input.ts";

const { method, amount, code } = tender.shape;

/** How a request says that something is paid by several methods. */
export const tendersBody = z
	.array(z.object({ method, amount: onWire(amount), code }))
	.min(1)
	.max(tendersMax);
