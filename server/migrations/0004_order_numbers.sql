CREATE TABLE "order_numbers" (
	"number" text PRIMARY KEY NOT NULL
);
