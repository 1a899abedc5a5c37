// The style sheet is imported so that it is bundled; it gives nothing.
declare module "*.css";
