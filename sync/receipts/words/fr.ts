import type { ReceiptWords } from "./index.ts";

export const fr: ReceiptWords = {
	name: "Français",
	locale: "fr",
	receipt: "Ticket",
	copy: "COPIE",
	statuses: {
		voided: "ANNULÉ",
		refunded: "REMBOURSÉ",
		"partly refunded": "REMBOURSÉ EN PARTIE",
	},
	was: (price) => `au lieu de ${price}`,
	saving: (amount) => `Remise ${amount}`,
	takenBack: (quantity) => `Repris : ${quantity}`,
	total: "Total",
	savings: "Total des remises",
	rounding: "Arrondi",
	toPay: "À payer",
	owes: (name) => `${name} doit`,
	hasLeft: (name) => `Avoir restant, ${name}`,
	methods: {
		CASH: "Espèces",
		MPESA: "M-PESA",
		CARD: "Carte",
		AIRTEL: "Airtel Money",
		BANK: "Banque",
		CREDIT: "À crédit",
	},
	change: "Monnaie",
	short: "Il manque",
	refund: (reason) => `Remboursement : ${reason}`,
	void: (reason) => `Annulation : ${reason}`,
	afterRefunds: "Après remboursement",
	servedBy: (name) => `Servi par ${name}`,
	keep: "Scannez pour garder ce ticket",
	lostLetters:
		"Ce fichier ne peut pas afficher certaines lettres ; la page du ticket et la caisse les affichent.",
	missing:
		"Ce ticket n'est pas encore ici. Réessayez quand la boutique sera de nouveau en ligne.",
};
