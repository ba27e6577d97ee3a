"""Files that may hold secrets: by name before anything is opened, by content for names that are often harmless."""

from __future__ import annotations

import re

_SECRET_NAMES_TEXT = """
    .env .envrc .netrc _netrc .pgpass .my.cnf .git-credentials .htpasswd .pypirc .dockercfg .s3cfg .boto
    .vault_pass .vault-token .terraformrc credentials credentials.json credentials.yml.enc master.key
    secrets.json secrets.yml secrets.yaml secrets.toml client_secret.json service-account.json
    service_account.json serviceaccountkey.json id_rsa id_dsa id_ecdsa id_ed25519 kubeconfig
    terraform.tfstate terraform.tfstate.backup
"""
SECRET_NAMES = frozenset(_SECRET_NAMES_TEXT.split())
"""Whole file names, in lower case."""

_SECRET_SUFFIXES_TEXT = """
    .pem .key .p12 .pfx .jks .keystore .kdbx .ppk .ovpn .p8 .gpg .secret .tfstate
"""
SECRET_SUFFIXES = frozenset(_SECRET_SUFFIXES_TEXT.split())

_SECRET_SHAPES = re.compile(
    r"\.env\.(?!(?:.*\.)?(?:example|sample|template|dist|defaults?|schema|tpl)$).+"
    r"|client_secret.*\.json|.*service[-_]?account.*\.json|id_(?:rsa|dsa|ecdsa|ed25519)[-_.](?!pub$).+"
)
_CREDENTIAL_FILES = frozenset([".npmrc", ".yarnrc", ".yarnrc.yml", "pip.conf", ".pip.conf", "nuget.config"])
_CREDENTIALS = re.compile(
    rb"_authToken\s*=\s*[^\s$]|_password\s*=\s*[^\s$]|npmAuthToken:\s*[\"']?[^\s$\"']|https?://[^\s/@:$]+:[^\s/@$]+@"
)
_PRIVATE_KEY = re.compile(rb"\s*-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----|PuTTY-User-Key-File-")
_SERVICE_ACCOUNT = re.compile(rb"\"private_key\"\s*:\s*\"-----BEGIN")


def names_a_secret(name: str) -> bool:
    """Whether a file of this name (lower case, without folders) is refused unread."""
    if name in SECRET_NAMES or name[name.rfind(".") :] in SECRET_SUFFIXES:
        return True
    return (".env." in name or "secret" in name or "account" in name or name.startswith("id_")) and bool(
        _SECRET_SHAPES.fullmatch(name)
    )


def holds_a_secret(name: str, data: bytes) -> bool:
    """Whether the content is a key or a file of credentials. A key quoted inside source code does not count."""
    if _PRIVATE_KEY.match(data):
        return True
    if name.endswith(".json") and _SERVICE_ACCOUNT.search(data, 0, 8192):
        return True
    return name in _CREDENTIAL_FILES and bool(_CREDENTIALS.search(data))
