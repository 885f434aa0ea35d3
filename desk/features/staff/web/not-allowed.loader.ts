export { queries, redirect } from './me.loader.ts'
