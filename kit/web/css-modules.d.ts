/** The classes of a sheet: `import * as s from './Card.module.css'`, so that a build can write each where it is used. */
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export = classes
}

declare module '*.css'
