import type { Api } from '#kit/contract/endpoint.ts'

/** Makes a call about what a page shows, in the way of that page. @throws ApiError */
export type CallAbout = <T>(make: (api: Api) => Promise<{ data: T }>) => Promise<T>
