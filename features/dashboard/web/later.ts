import { lazy } from 'react'
import type { parts } from './later-parts.ts'

type Parts = typeof parts
type Part<Name extends keyof Parts> = Awaited<ReturnType<Parts[Name]>>['default']

export const later = <Name extends keyof Parts>(name: Name) =>
  lazy<Part<Name>>(async () => (await import('./later-parts.ts')).parts[name]() as Promise<{ default: Part<Name> }>)
