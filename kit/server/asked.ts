/** What is asked: a statement with its values. */
export type Asked = { statement: string; values: readonly unknown[] }
