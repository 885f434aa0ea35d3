import type { Api } from '#kit/contract/endpoint.ts'
import { useApi } from '#kit/web/api.tsx'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { listPlanFilters, listProducts, type Product } from '../plans.contract.ts'

export const productsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['products'],
    queryFn: async () => (await api.call(listProducts, {})).data,
    staleTime: 60_000,
  })

export const planFiltersQuery = (api: Api) =>
  queryOptions({
    queryKey: ['plan-filters'],
    queryFn: async () => (await api.call(listPlanFilters, {})).data,
    staleTime: 60_000,
  })

/**
 * Writes the new price from a purchase response into the cached product list. Reloading the list would not help,
 * because HTTP caches may serve the old price for another minute.
 */
export function useShownPrice(): (product: Product | undefined) => ShownPrice | undefined {
  const client = useQueryClient()
  const { queryKey } = productsQuery(useApi())
  return (product) =>
    product && {
      price: product.price,
      title: product.title,
      onNewPrice: (price) =>
        client.setQueryData(queryKey, {
          ...client.getQueryData(queryKey),
          [product.unique_id]: { ...product, price },
        }),
    }
}

type ShownPrice = Pick<Product, 'price' | 'title'> & { onNewPrice: (price: string) => void }
