import type { Market } from '#kit/contract/bootstrap.ts'
import type { StockDeps } from '#features/stock/server/stock.deps.ts'

export type DeskStockDeps = StockDeps & { market: Market; isDemo: boolean }
