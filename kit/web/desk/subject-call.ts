import type { Api } from '#kit/contract/endpoint.ts'

/**
 * Makes a call about the page's subject, in whichever way the page provides.
 * @throws ApiError
 */
export type SubjectCall = <T>(make: (api: Api) => Promise<{ data: T }>) => Promise<T>
