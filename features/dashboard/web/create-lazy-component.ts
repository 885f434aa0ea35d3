import { lazy } from 'react'
import type { componentLoaders } from './lazy-parts.ts'

type ComponentLoaders = typeof componentLoaders
type LoadedComponent<Name extends keyof ComponentLoaders> = Awaited<ReturnType<ComponentLoaders[Name]>>['default']

export const createLazyComponent = <Name extends keyof ComponentLoaders>(name: Name) =>
  lazy<LoadedComponent<Name>>(
    async () =>
      (await import('./lazy-parts.ts')).componentLoaders[name]() as Promise<{ default: LoadedComponent<Name> }>,
  )
