#!/usr/bin/env node
// Prisma's query engine for LiteLLM, as a program. Prisma's client for Python starts one that Prisma publishes on a server of its own. This one is made
// of the same engine as its npm package has it, in WebAssembly, so that package registries are enough to run LiteLLM with its database. The client
// sends GraphQL, and that engine reads JSON: what is here translates one into the other.
"use strict";
const fs = require("fs"), http = require("http"), path = require("path");

if (process.argv.includes("--version")) {
	console.log("query-engine 393aa359c9ad4a4bb28630fb5613f9c281cde053");
	process.exit(0);
}

const { parse } = require("graphql");
const { Pool } = require("pg");
const { PrismaPg } = require("@prisma/adapter-pg");
const { bindAdapter } = require("@prisma/driver-adapter-utils");

// Prisma's adapter knows no columns of the types of the system's tables: they are read as texts.
const result = require("pg/lib/result").prototype, addFields = result.addFields;
result.addFields = function (fields) {
	for (const f of fields) f.dataTypeID = { 18: 25, 19: 25, 26: 25, 1003: 1009, 2205: 25, 2278: 25 }[f.dataTypeID] ?? f.dataTypeID;
	return addFields.call(this, fields);
};

const datamodel = fs.readFileSync(process.env.PRISMA_DML_PATH, "utf8");

async function start() {
	const runtime = path.join(path.dirname(require.resolve("@prisma/client/package.json")), "runtime");
	const bindings = require(path.join(runtime, "query_engine_bg.postgresql.js"));
	const code = new WebAssembly.Module(fs.readFileSync(path.join(runtime, "query_engine_bg.postgresql.wasm")));
	const instance = new WebAssembly.Instance(code, { "./query_engine_bg.js": bindings });
	bindings.__wbg_set_wasm(instance.exports);
	instance.exports.__wbindgen_start?.();
	const url = new URL(process.env.DATABASE_URL);
	const pool = new Pool({
		host: url.searchParams.get("host") || url.hostname, port: url.port || 5432, database: url.pathname.slice(1),
		user: decodeURIComponent(url.username), password: decodeURIComponent(url.password),
	});
	const engine = new bindings.QueryEngine({
		datamodel, logLevel: "error", logQueries: false, env: {}, configDir: ".", datasourceOverrides: {}, ignoreEnvVarErrors: true, engineProtocol: "json",
	}, console.error, bindAdapter(new PrismaPg(pool)));
	await engine.connect(JSON.stringify({ enableTracing: false }));
	return engine;
}

const actions = ["findUnique", "findFirst", "findMany", "createOne", "createMany", "updateOne", "updateMany", "deleteOne", "deleteMany", "upsertOne", "aggregate", "groupBy"];

// operation splits a name such as findUniqueLiteLLM_TeamTableOrThrow.
function operation(name) {
	if (name === "queryRaw" || name === "executeRaw") return { action: name };
	const action = actions.find((a) => name.startsWith(a));
	if (!action) throw new Error("unknown operation " + name);
	const modelName = name.slice(action.length);
	if (action.startsWith("find") && modelName.endsWith("OrThrow")) return { modelName: modelName.slice(0, -"OrThrow".length), action: action + "OrThrow" };
	return { modelName, action };
}

// json has each model's fields of type Json. GraphQL sends them as strings, so the engine must be given their names.
const json = {};
for (const [, model, body] of datamodel.matchAll(/^model (\w+) \{(.*?)^\}/gms))
	json[model] = new Set([...body.matchAll(/^\s*(\w+)\s+Json\b/gm)].map((m) => m[1]));

function value(v, isJSON, model) {
	switch (v.kind) {
	case "IntValue": return Number.isSafeInteger(Number(v.value)) ? Number(v.value) : { $type: "BigInt", value: v.value };
	case "FloatValue": return Number(v.value);
	case "StringValue": return isJSON ? { $type: "Json", value: v.value } : v.value;
	case "EnumValue": case "BooleanValue": return v.value;
	case "NullValue": return null;
	case "ListValue": return v.values.map((x) => value(x, isJSON, model));
	case "ObjectValue": return Object.fromEntries(v.fields.map(({ name: { value: name }, value: x }) =>
		[name, value(x, json[model]?.has(name) || isJSON && ["set", "equals", "not"].includes(name), model)]));
	}
	throw new Error("unknown value " + v.kind);
}

function field(f, model) {
	return {
		arguments: Object.fromEntries((f.arguments || []).map((a) => [a.name.value, value(a.value, false, model)])),
		selection: Object.fromEntries((f.selectionSet?.selections || []).map((s) => [s.name.value, s.selectionSet || s.arguments?.length ? field(s, model) : true])),
	};
}

function translate({ query }) {
	const root = parse(query, { noLocation: true }).definitions[0].selectionSet.selections[0];
	const op = operation(root.name.value);
	return { alias: (root.alias || root.name).value, query: { ...op, query: field(root, op.modelName) } };
}

// plain takes the marks of types off an answer.
function plain(v) {
	if (Array.isArray(v)) return v.map(plain);
	if (!v || typeof v !== "object") return v;
	if ("$type" in v) return v.$type === "BigInt" ? Number(v.value) : v.value;
	return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, plain(x)]));
}

function answer(alias, out) {
	if (out.errors) return out;
	const found = plain(Object.values(out.data)[0]);
	for (const row of found?.rows || []) // of raw SQL
		found.types.forEach((type, i) => { if (type === "json" && typeof row[i] === "string") row[i] = JSON.parse(row[i]); });
	return { data: { [alias]: found } };
}

async function transaction(engine, id, verb, body) {
	if (!id) return engine.startTransaction(body, "{}");
	return verb === "commit" ? engine.commitTransaction(id, "{}") : engine.rollbackTransaction(id, "{}");
}

async function respond(engine, req, text) {
	if (req.method === "GET") return [200, {}]; // its status, and its metrics
	const [, id, verb] = req.url.match(/^\/transaction\/(?:start|([^/]+)\/(commit|rollback))$/) || [null];
	if (req.url.startsWith("/transaction/")) {
		const out = JSON.parse(await transaction(engine, id, verb, text) || "{}");
		return [out.error_code ? 422 : 200, out];
	}
	const body = JSON.parse(text), tx = req.headers["x-transaction-id"];
	if (!body.batch) {
		const { alias, query } = translate(body);
		return [200, answer(alias, JSON.parse(await engine.query(JSON.stringify(query), "{}", tx)))];
	}
	const all = body.batch.map(translate);
	const out = JSON.parse(await engine.query(JSON.stringify({ batch: all.map((a) => a.query), transaction: body.transaction ? { isolationLevel: null } : undefined }), "{}", tx));
	return [200, out.batchResult ? { batchResult: out.batchResult.map((r, i) => answer(all[i].alias, r)) } : out];
}

start().then((engine) => {
	http.createServer(async (req, res) => {
		const parts = [];
		for await (const part of req) parts.push(part);
		let status, out;
		try {
			[status, out] = await respond(engine, req, Buffer.concat(parts).toString());
		} catch (err) {
			console.error("engine:", err);
			[status, out] = [200, { errors: [{ error: String(err), user_facing_error: { is_panic: false, message: String(err), meta: {}, error_code: "P2010" } }] }];
		}
		res.writeHead(status, { "Content-Type": "application/json" });
		res.end(JSON.stringify(out));
	}).listen(Number(process.argv[process.argv.indexOf("-p") + 1]), "127.0.0.1");
	process.on("SIGINT", () => process.exit(0));
});
