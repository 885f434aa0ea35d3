import type { Api } from '#kit/contract/endpoint.ts'

/**
 * Makes an API call about the customer, order or other record that the page shows. The page provides this function.
 * @throws ApiError
 */
export type SendApiRequest = <T>(make: (api: Api) => Promise<{ data: T }>) => Promise<T>
