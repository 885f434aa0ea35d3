import { lazy } from 'react'
import type { lazyParts } from './lazy-parts.ts'

type LazyParts = typeof lazyParts
type LazyPart<Name extends keyof LazyParts> = Awaited<ReturnType<LazyParts[Name]>>['default']

export const lazyPart = <Name extends keyof LazyParts>(name: Name) =>
  lazy<LazyPart<Name>>(
    async () => (await import('./lazy-parts.ts')).lazyParts[name]() as Promise<{ default: LazyPart<Name> }>,
  )
