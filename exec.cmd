@rem `exec` of package.json's scripts, where the shell has none: elsewhere it makes Node take the place of the shell, so that a signal reaches it.
@%*
